"""What is asked for by its name: the formats that can be read, and test collections of ir_datasets."""
