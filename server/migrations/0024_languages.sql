-- A language is that of the card, in the order of `Language`: 0 english, 1 japanese, 2 chinese, 3 korean, 4 thai, 5 indonesian. What was
-- filled from a catalogue gets its language when it is filled again, at the next start.
DELETE FROM facts WHERE name = 'catalogue';
