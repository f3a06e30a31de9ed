"""What is read from text by code: words, stems, numbers, dates, names and how near two texts are."""
