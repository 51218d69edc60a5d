// Plays the lowest pit that is not empty. Before its first move it uses as many
// milliseconds of CPU time as its first argument says, itself or, if there are
// others, in so many children as the second says, for which it waits asleep; if that
// is less than 0 they end then, and nobody asks for their CPU time. As many children
// as the third says compute all the time.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void work(long ms) {
	struct timespec t;
	do {
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	} while (t.tv_sec * 1000 + t.tv_nsec / 1000000 < ms);
}

static void compute(long ms, long children) {
	int done[2], end = children < 0;
	char c;
	if (end) {
		children = -children;
		signal(SIGCHLD, SIG_IGN);
	}
	if (children == 0 || pipe(done) != 0) {
		work(ms);
		return;
	}
	for (long i = 0; i < children; i++) {
		if (fork() == 0) {
			work(ms);
			if (write(done[1], "x", 1) == 1 && !end) {
				pause();
			}
			_exit(0);
		}
	}
	for (long i = 0; i < children; i++) {
		if (read(done[0], &c, 1) != 1) {
			exit(1);
		}
	}
}

static int pits[7];

static void sow(int p) {
	int hand = pits[p];
	pits[p] = 0;
	for (;;) {
		p = (p + 1) % 7;
		if (hand == 1) {
			if (pits[p] >= 1 && pits[p] <= 4) {
				pits[p] = 0;
			}
			return;
		}
		if (pits[p] == 5) {
			pits[p]--;
		} else {
			pits[p]++;
			hand--;
		}
	}
}

int main(int argc, char **argv) {
	long ms = argc > 1 ? atol(argv[1]) : 0, children = argc > 2 ? atol(argv[2]) : 0;
	for (long i = argc > 3 ? atol(argv[3]) : 0; i > 0; i--) {
		if (fork() == 0) {
			setsid();
			for (;;) {
			}
		}
	}
	int seat = atoi(getenv("UMPIRE_SEAT")), move;
	for (int i = 0; i < 7; i++) {
		if (scanf("%d", &pits[i]) != 1) {
			return 1;
		}
	}
	for (int turn = 1;; turn = 3 - turn) {
		int p = 0;
		while (p < 7 && pits[p] == 0) {
			p++;
		}
		if (p == 7) {
			return 0;
		}
		if (turn == seat) {
			if (ms > 0) {
				compute(ms, children);
				ms = 0;
			}
			printf("%d\n", p + 1);
			fflush(stdout);
		} else if (scanf("%d", &move) == 1) {
			p = move - 1;
		} else {
			return 0;
		}
		sow(p);
	}
}
