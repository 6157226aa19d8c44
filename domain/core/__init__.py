"""What all games and matches are made of."""
