"""Contains a module for each table; its functions take a store, or a connection of a transaction."""
