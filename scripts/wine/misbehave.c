/*
 * Contestants that misbehave on Windows, and honest ones that look as if they did: the
 * first argument says which, the others are the replies to be given in turn. Each is
 * listed with the verdict it must get under Wine, where umpire does not see that a
 * contestant has closed its output before it ends. A missing flush can't be tried: Wine's
 * C library writes each line.
 */
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

static char **replies;
static char program[MAX_PATH];

static void say_bytes(const char *text, int n)
{
	while (n > 0) {
		int w = write(1, text, n);
		if (w <= 0)
			_exit(9);
		text += w;
		n -= w;
	}
}

static void say(const char *text) { say_bytes(text, strlen(text)); }
static void reply(const char *text) { say(text); say("\n"); }

/* hear reads a line; 0 at the end of input. */
static int hear(void)
{
	char c;
	while (read(0, &c, 1) > 0)
		if (c == '\n')
			return 1;
	return 0;
}

static void hear_out(void) { while (hear()) ; }
static void for_ever(void) { for (;;) Sleep(INFINITE); }
static void play(void) { for (char **r = replies; *r && hear(); r++) reply(*r); }
static void all_at_once(void) { for (char **r = replies; *r; r++) reply(*r); }

static void honest(void) { play(); hear_out(); }
static void never_reads(void) { all_at_once(); for_ever(); }
static void before_asked(void) { all_at_once(); hear_out(); }
static void closes_input(void) { close(0); all_at_once(); for_ever(); }
static void leaves_with_0(void) { play(); exit(0); }
static void leaves_with_3(void) { play(); exit(3); }
static void lingers(void) { play(); for_ever(); }

static void two_at_once(void)
{
	char **r = replies;
	hear();
	reply(*r++);
	for (; *r; r++) {
		reply(*r);
		hear();
	}
	hear_out();
}

static void formatted(const char *format)
{
	char text[64];
	for (char **r = replies; *r && hear(); r++) {
		snprintf(text, sizeof text, format, atoi(*r));
		say(text);
	}
	hear_out();
}

static void crlf(void) { formatted("%d\r\n"); }
static void leading_zeros(void) { formatted("%05d\n"); }
static void extra_blanks(void) { formatted("\n \t %d  \t\n"); }

static void chatters(void)
{
	static char noise[4096];
	memset(noise, '#', sizeof noise);
	for (char **r = replies; *r && hear(); r++) {
		for (int i = 0; i < 16; i++)
			write(2, noise, sizeof noise);
		reply(*r);
	}
	hear_out();
}

static void once(const char *text) { hear(); reply(text); hear_out(); }
static void nul(void) { hear(); say_bytes("1\0\n", 3); hear_out(); }
static void escapes(void) { once("\x1b[31m1\x1b[0m"); }
static void plus(void) { once("+3"); }
static void two_numbers(void) { once("3 3"); }
static void huge(void) { once("9223372036854775809"); }
static void pit_8(void) { once("8"); }
static void prose(void) { once("I play pit 3"); }

static void flood(int fd, const char *text)
{
	static char block[4096];
	size_t n = strlen(text);
	for (size_t i = 0; i < sizeof block; i++)
		block[i] = text[i % n];
	while (write(fd, block, sizeof block) > 0)
		;
	for_ever();
}

static void floods_lines(void) { flood(1, "8\n"); }
static void floods(void) { flood(1, "x"); }
static void floods_blank_lines(void) { flood(1, "\n"); }
static void floods_errors(void) { flood(2, "oh no\n"); }

static void megabyte(void)
{
	static char block[1 << 20];
	memset(block, 'x', sizeof block);
	say_bytes(block, sizeof block);
	for_ever();
}

static void exits_with_0(void) { hear(); exit(0); }
static void exits_with_3(void) { hear(); exit(3); }
static void no_newline(void) { hear(); say("1"); exit(0); }
static void violates(void) { hear(); *(volatile int *)8 = 1; }
static void divides(void) { hear(); volatile int zero = 0; exit(1 / zero); }
static void aborts(void) { hear(); abort(); }
static void closes_output(void) { hear(); fclose(stdout); CloseHandle(GetStdHandle(STD_OUTPUT_HANDLE)); for_ever(); }
static void sleeps(void) { hear(); for_ever(); }
static void spins(void) { hear(); for (volatile unsigned long i = 0;; i++) ; }
static void byte_by_byte(void) { hear(); for (;;) { Sleep(20); say("0"); } }
static void never_ends_its_line(void) { hear(); for (;;) { Sleep(10); say(" "); } }
static void reads_for_ever(void) { hear_out(); }
static void suspends_itself(void) { hear(); SuspendThread(GetCurrentThread()); }

static void allocates(void)
{
	hear();
	for (int i = 0; i < 1024; i++) {
		char *p = malloc(1 << 20);
		if (p)
			memset(p, 1, 1 << 20);
		Sleep(1);
	}
	for_ever();
}

/* starts starts this program once more, with the same pipes. */
static void starts(const char *behaviour)
{
	char line[MAX_PATH + 64];
	STARTUPINFOA s = {.cb = sizeof s};
	PROCESS_INFORMATION p;
	snprintf(line, sizeof line, "\"%s\" %s", program, behaviour);
	if (!CreateProcessA(program, line, NULL, NULL, TRUE, 0, NULL, NULL, &s, &p))
		_exit(8);
}

static void child_keeps_pipes(void) { hear(); starts("lingers"); exit(0); }
static void child_keeps_pipes_at_the_end(void) { play(); starts("lingers"); exit(0); }
static void child_spins(void) { starts("computes"); play(); hear_out(); }
static void computes(void) { for (volatile unsigned long i = 0;; i++) ; }

static const struct {
	const char *name, *verdict;
	void (*run)(void);
} behaviours[] = {
	{"honest", "ok", honest}, {"never_reads", "ok", never_reads}, {"before_asked", "ok", before_asked},
	{"closes_input", "ok", closes_input}, {"leaves_with_0", "ok", leaves_with_0}, {"leaves_with_3", "ok", leaves_with_3},
	{"lingers", "ok", lingers}, {"two_at_once", "ok", two_at_once}, {"crlf", "ok", crlf},
	{"leading_zeros", "ok", leading_zeros}, {"extra_blanks", "ok", extra_blanks}, {"chatters", "ok", chatters},
	{"nul", "foul", nul}, {"escapes", "foul", escapes}, {"plus", "foul", plus}, {"two_numbers", "foul", two_numbers},
	{"huge", "foul", huge}, {"pit_8", "foul", pit_8}, {"prose", "foul", prose}, {"floods_lines", "foul", floods_lines},
	{"megabyte", "output", megabyte}, {"floods", "output", floods}, {"floods_blank_lines", "output", floods_blank_lines},
	{"floods_errors", "output", floods_errors}, {"exits_with_0", "crash", exits_with_0}, {"exits_with_3", "crash", exits_with_3},
	{"no_newline", "crash", no_newline}, {"violates", "crash", violates}, {"divides", "crash", divides},
	{"aborts", "crash", aborts}, {"closes_output", "time", closes_output}, {"sleeps", "time", sleeps}, {"spins", "time", spins},
	{"byte_by_byte", "time", byte_by_byte}, {"never_ends_its_line", "time", never_ends_its_line},
	{"reads_for_ever", "time", reads_for_ever}, {"suspends_itself", "time", suspends_itself}, {"allocates", "memory", allocates},
	{"child_keeps_pipes", "crash", child_keeps_pipes}, {"child_keeps_pipes_at_the_end", "ok", child_keeps_pipes_at_the_end},
	{"child_spins", "ok", child_spins}, {"computes", "", computes},
};

int main(int argc, char **argv)
{
	_setmode(0, _O_BINARY);
	_setmode(1, _O_BINARY);
	GetModuleFileNameA(NULL, program, sizeof program);
	replies = argv + 2;
	for (size_t i = 0; i < sizeof behaviours / sizeof *behaviours; i++)
		if (argc < 2) {
			if (*behaviours[i].verdict)
				printf("%s %s\n", behaviours[i].name, behaviours[i].verdict);
		} else if (strcmp(argv[1], behaviours[i].name) == 0) {
			behaviours[i].run();
			return 0;
		}
	return argc < 2 ? 0 : 2;
}
