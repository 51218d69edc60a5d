// A contestant that does as little as one can: it reads a line and answers it
// with one that no game takes for a move, so that its match is over.
#include <unistd.h>

int main(void) {
	char line[4096];
	if (read(0, line, sizeof line) > 0 && write(1, "?\n", 2) == 2)
		return 0;
	return 1;
}
