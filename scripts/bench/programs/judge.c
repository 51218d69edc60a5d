/* A judge of the game ping: the seats take turns to answer with a digit, which
   the other is told, for as many plies as the case says; matches follow each other. */
#include <stdio.h>

int main(void) {
	char line[256];
	int version, seats, lines, plies;
	unsigned long long seed;
	while (scanf(" match %d %d %llu %d %d", &version, &seats, &seed, &lines, &plies) == 5) {
		int seat = 1, digit = 0;
		getchar();
		for (int i = 0; i < plies; i++) {
			printf("say %d %d\nask %d\n", seat, digit, seat);
			fflush(stdout);
			if (!fgets(line, sizeof line, stdin) || sscanf(line, "reply %d %d", &seat, &digit) != 2) return 1;
			seat = seat % seats + 1;
		}
		puts(seats == 1 ? "end 0" : "end 0 0");
		fflush(stdout);
	}
	return 0;
}
