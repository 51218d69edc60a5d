// One round trip of a short line between two processes, the unit of the other
// figures: "pair CPU N" prints nanoseconds a round trip, both on one CPU;
// "pair echo" is the child alone: it answers every line with a line.
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

static int echo(void) {
	char buf[4096];
	while (read(0, buf, sizeof buf) > 0)
		if (write(1, "3\n", 2) != 2)
			return 1;
	return 0;
}

int main(int argc, char **argv) {
	if (argc == 2 && !strcmp(argv[1], "echo"))
		return echo();
	if (argc != 3)
		return 2;
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET(atoi(argv[1]), &set);
	sched_setaffinity(0, sizeof set, &set);
	int to[2], from[2], n = atoi(argv[2]);
	if (pipe(to) || pipe(from))
		return 1;
	if (!fork()) {
		dup2(to[0], 0);
		dup2(from[1], 1);
		close(to[0]), close(to[1]), close(from[0]), close(from[1]);
		_exit(echo());
	}
	char buf[64];
	double start = now();
	for (int i = 0; i < n; i++)
		if (write(to[1], "3\n", 2) != 2 || read(from[0], buf, sizeof buf) <= 0)
			return 1;
	printf("%.1f\n", (now() - start) / n);
	return 0;
}
