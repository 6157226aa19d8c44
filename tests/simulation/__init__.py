"""A year of matches by mail, lived in minutes with a clock that is driven: see CONTRIBUTING."""
