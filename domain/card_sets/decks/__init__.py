"""The decks that players bring: what each format asks of them, and how they are written as text."""
