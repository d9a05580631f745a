"""What makes the sample clips: the hall, the rally, its pictures, its sound, the files."""
