"""The pages of a class: an application of Starlette, which knows no rules of Go."""
