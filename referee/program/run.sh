after!
