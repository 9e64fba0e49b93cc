"""The tool that learns the weights of the network."""
