"""Rules as pure state machines, betting, pots and evaluation; knows no cryptography."""
