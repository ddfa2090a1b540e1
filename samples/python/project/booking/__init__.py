"""Meeting rooms: who has which one, and when."""
