"""A class as values: seats, activities, pairs, progress, and saving; knows no HTTP and no browser."""
