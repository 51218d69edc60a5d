/*
 * Contestants that misbehave, and honest ones that look as if they did: the
 * first argument says which, the others are the replies to be given in turn.
 * `adversary list` lists them. See adversary_test.go and idle_test.go.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char **replies;

/* say writes text, all of it. */
static void say(const char *text)
{
	size_t n = strlen(text);
	while (n > 0) {
		ssize_t w = write(1, text, n);
		if (w <= 0)
			_exit(9);
		text += w;
		n -= w;
	}
}

static void reply(const char *text)
{
	char line[4096];
	snprintf(line, sizeof line, "%s\n", text);
	say(line);
}

/* hear reads a line; 0 at the end of input. */
static int hear(void)
{
	char c;
	for (;;) {
		ssize_t n = read(0, &c, 1);
		if (n <= 0)
			return 0;
		if (c == '\n')
			return 1;
	}
}

static void hear_out(void)
{
	while (hear())
		;
}

static void for_ever(void)
{
	for (;;)
		pause();
}

/* play plays as it should. */
static void play(void)
{
	for (char **r = replies; *r && hear(); r++)
		reply(*r);
}

static void all_at_once(void)
{
	for (char **r = replies; *r; r++)
		reply(*r);
}

/* --- ok --- */

static void never_reads(void) { all_at_once(); for_ever(); }
static void before_asked(void) { all_at_once(); hear_out(); }
static void honest(void) { play(); hear_out(); }
static void leaves_with_0(void) { play(); exit(0); }
static void leaves_with_3(void) { play(); exit(3); }

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

static void closes_input(void)
{
	close(0);
	all_at_once();
	for_ever();
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
	char noise[4096];
	memset(noise, '#', sizeof noise);
	for (char **r = replies; *r && hear(); r++) {
		for (int i = 0; i < 256; i++)
			if (write(2, noise, sizeof noise) < 0)
				exit(1);
		reply(*r);
	}
	hear_out();
}

static void lingers(void)
{
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	play();
	for_ever();
}

/* --- foul --- */

static void says(void)
{
	play();
	hear_out();
}

static void nul(void)
{
	hear();
	if (write(1, "1\0\n", 3) != 3)
		exit(1);
	hear_out();
}

/* --- output --- */

static void flood(int fd, const char *text)
{
	char block[4096];
	size_t n = strlen(text);
	for (size_t i = 0; i < sizeof block; i++)
		block[i] = text[i % n];
	while (write(fd, block, sizeof block) > 0)
		;
	for_ever();
}

static void megabyte(void)
{
	char block[4096];
	memset(block, 'x', sizeof block);
	for (int i = 0; i < 256; i++)
		if (write(1, block, sizeof block) < 0)
			break;
	for_ever();
}

static void floods(void) { flood(1, "x"); }
static void floods_lines(void) { flood(1, "8\n"); }
static void floods_blank_lines(void) { flood(1, "\n"); }
static void floods_errors(void) { flood(2, "oh no\n"); }

/* --- crash --- */

static void exits_with_0(void) { hear(); exit(0); }
static void exits_with_3(void) { hear(); exit(3); }
static void no_newline(void) { hear(); say("1"); exit(0); }
static void segfaults(void) { hear(); raise(SIGSEGV); }
static void aborts(void) { hear(); abort(); }
static void closes_output(void) { hear(); close(1); for_ever(); }

/* --- time --- */

static void nap(long ms)
{
	struct timespec t = {ms / 1000, ms % 1000 * 1000000};
	while (nanosleep(&t, &t) != 0)
		;
}

static void sleeps(void) { hear(); for (;;) nap(60000); }
static void spins(void) { hear(); for (volatile unsigned long i = 0;; i++) ; }

static void byte_by_byte(void)
{
	hear();
	for (int i = 0; i < 1000; i++) {
		nap(20);
		say("0");
	}
	reply("1");
	for_ever();
}

static void never_ends_its_line(void)
{
	hear();
	for (;;) {
		nap(10);
		say(" ");
	}
}

/* --- those that seem to wait for a CPU --- */

static void *hog(void *unused)
{
	for (volatile unsigned long i = 0;; i++)
		;
	return unused;
}

static void hogs_by_threads(void)
{
	pthread_t t;
	for (int i = 0; i < 200; i++)
		pthread_create(&t, NULL, hog, NULL);
	for_ever();
}

static void hogs_by_children(void)
{
	for (int i = 0; i < 20; i++)
		if (fork() == 0)
			hog(NULL);
	for_ever();
}

/* It is suspended while each of its children computes. */
static void hogs_by_vfork(void)
{
	for (;;)
		if (vfork() == 0) {
			for (volatile unsigned long i = 0; i < 10 * 1000 * 1000; i++)
				;
			_exit(0);
		}
}

/* It stops itself again and again, and its child wakes it. */
static void hogs_by_stops(void)
{
	pid_t me = getpid();
	if (fork() == 0)
		for (;;) {
			nap(20);
			kill(me, SIGCONT);
		}
	for (;;)
		raise(SIGSTOP);
}

/* --- idle --- */

static void forgets_to_flush(void)
{
	char line[4096];
	for (char **r = replies; *r && fgets(line, sizeof line, stdin); r++)
		printf("%s\n", *r);
	while (fgets(line, sizeof line, stdin))
		;
}

static void reads_for_ever(void) { hear_out(); }

static void polls_for_ever(void)
{
	struct pollfd p = {0, POLLIN, 0};
	for (;;) {
		poll(&p, 1, -1);
		hear();
	}
}

static void selects_for_ever(void)
{
	for (;;) {
		fd_set in;
		FD_ZERO(&in);
		FD_SET(0, &in);
		select(1, &in, NULL, NULL, NULL);
		hear();
	}
}

static void stops_itself(void) { hear(); raise(SIGSTOP); play(); }

/* --- children --- */

static void child_keeps_pipes(void)
{
	hear();
	if (fork() == 0)
		for_ever();
	exit(0);
}

static void child_keeps_pipes_at_the_end(void)
{
	play();
	if (fork() == 0)
		for_ever();
	exit(0);
}

static void double_fork(void)
{
	if (fork() == 0) {
		if (fork() == 0)
			for_ever();
		exit(0);
	}
	wait(NULL);
	play();
	hear_out();
}

static void child_spins(void)
{
	if (fork() == 0)
		for (volatile unsigned long i = 0;; i++)
			;
	play();
	hear_out();
}

/* --- honest, but slow: each of these answers every line after DELAY ms --- */

static long delay;

static void done(void) { say("done\n"); }

static void each(void (*think)(void))
{
	while (hear())
		think();
}

static void think_nap(void) { nap(delay); done(); }
static void slow_sleep(void) { each(think_nap); }

static long cpu_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void think_compute(void)
{
	for (long end = cpu_ms() + delay / 8; cpu_ms() < end;)
		;
	done();
}

static void slow_compute(void) { each(think_compute); }

static void *napper(void *unused) { nap(delay); return unused; }
static void *computer(void *unused)
{
	for (long end = cpu_ms() + delay / 8; cpu_ms() < end;)
		;
	return unused;
}

static void think_join(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, napper, NULL);
	pthread_create(&b, NULL, computer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	done();
}

static void slow_threads(void) { each(think_join); }

static void think_thread(void)
{
	pthread_t t;
	pthread_create(&t, NULL, computer, NULL);
	pthread_join(t, NULL);
	done();
}

static void slow_thread(void) { each(think_thread); }

/* A thread reads ahead while another thinks and answers. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t heard = PTHREAD_COND_INITIALIZER;
static int lines;

static void *thinker(void *unused)
{
	for (;;) {
		pthread_mutex_lock(&mutex);
		while (lines == 0)
			pthread_cond_wait(&heard, &mutex);
		lines--;
		pthread_mutex_unlock(&mutex);
		think_nap();
	}
	return unused;
}

static void slow_reader_thread(void)
{
	pthread_t t;
	pthread_create(&t, NULL, thinker, NULL);
	while (hear()) {
		pthread_mutex_lock(&mutex);
		lines++;
		pthread_cond_signal(&heard);
		pthread_mutex_unlock(&mutex);
	}
}

static void think_poll(void)
{
	struct pollfd p = {0, POLLIN, 0};
	poll(&p, 1, delay);
	done();
}

static void slow_poll(void) { each(think_poll); }

static void think_select(void)
{
	fd_set in;
	struct timeval t = {delay / 1000, delay % 1000 * 1000};
	FD_ZERO(&in);
	FD_SET(0, &in);
	select(1, &in, NULL, NULL, &t);
	done();
}

static void slow_select(void) { each(think_select); }

static void think_epoll(void)
{
	struct epoll_event e = {.events = EPOLLIN};
	int fd = epoll_create1(EPOLL_CLOEXEC);
	epoll_ctl(fd, EPOLL_CTL_ADD, 0, &e);
	epoll_wait(fd, &e, 1, delay);
	close(fd);
	done();
}

static void slow_epoll(void) { each(think_epoll); }

/* It is blocked reading when the alarm comes, whose handler answers. */
static void on_alarm(int s) { (void)s; done(); }

static void arm(void)
{
	struct itimerval t = {{0, 0}, {delay / 1000, delay % 1000 * 1000}};
	setitimer(ITIMER_REAL, &t, NULL);
}

static void slow_alarm(void)
{
	signal(SIGALRM, on_alarm);
	each(arm);
}

static void *waiter(void *set)
{
	int s;
	for (;;)
		if (sigwait(set, &s) == 0)
			done();
	return NULL;
}

/* A thread waits for the alarm while the other reads. */
static void slow_sigwait(void)
{
	static sigset_t set;
	pthread_t t;
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	pthread_create(&t, NULL, waiter, &set);
	each(arm);
}

/* A timer of its own, by a signal that is not SIGALRM. */
static void slow_timer(void)
{
	timer_t timer;
	struct sigevent e = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
	struct itimerspec t = {{0, 0}, {delay / 1000, delay % 1000 * 1000000}};
	signal(SIGUSR1, on_alarm);
	timer_create(CLOCK_MONOTONIC, &e, &timer);
	while (hear())
		timer_settime(timer, 0, &t, NULL);
}

static void on_timer(union sigval v) { (void)v; done(); }

static void slow_timer_thread(void)
{
	timer_t timer;
	struct sigevent e = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = on_timer};
	struct itimerspec t = {{0, 0}, {delay / 1000, delay % 1000 * 1000000}};
	timer_create(CLOCK_MONOTONIC, &e, &timer);
	while (hear())
		timer_settime(timer, 0, &t, NULL);
}

static void think_timerfd(void)
{
	uint64_t n;
	struct itimerspec t = {{0, 0}, {delay / 1000, delay % 1000 * 1000000}};
	int fd = timerfd_create(CLOCK_MONOTONIC, 0);
	timerfd_settime(fd, 0, &t, NULL);
	if (read(fd, &n, sizeof n) == sizeof n)
		done();
	close(fd);
}

static void slow_timerfd(void) { each(think_timerfd); }

/* It polls its input and a timer without a timeout. */
static void think_timerfd_poll(void)
{
	struct itimerspec t = {{0, 0}, {delay / 1000, delay % 1000 * 1000000}};
	struct pollfd p[2] = {{0, POLLIN, 0}, {timerfd_create(CLOCK_MONOTONIC, 0), POLLIN, 0}};
	timerfd_settime(p[1].fd, 0, &t, NULL);
	poll(p, 2, -1);
	done();
	close(p[1].fd);
}

static void slow_timerfd_poll(void) { each(think_timerfd_poll); }

/* A child thinks; the parent waits on a pipe, on the child, for a signal, on a
 * socket, on a lock. */
static void think_child_pipe(void)
{
	int fds[2];
	char c;
	if (pipe(fds) != 0)
		exit(1);
	if (fork() == 0) {
		nap(delay);
		_exit(write(fds[1], "x", 1) != 1);
	}
	close(fds[1]);
	if (read(fds[0], &c, 1) == 1)
		done();
	close(fds[0]);
	wait(NULL);
}

static void slow_child_pipe(void) { each(think_child_pipe); }

/* It polls its input and a pipe of its child's, or a socket, without a timeout. */
static void poll_child(int from, int to)
{
	struct pollfd p[2] = {{0, POLLIN, 0}, {from, POLLIN, 0}};
	if (fork() == 0) {
		nap(delay);
		_exit(write(to, "x", 1) != 1);
	}
	if (poll(p, 2, -1) == 1 && p[1].revents & POLLIN)
		done();
	close(from);
	close(to);
	wait(NULL);
}

static void think_child_poll(void)
{
	int fds[2];
	if (pipe(fds) != 0)
		exit(1);
	poll_child(fds[0], fds[1]);
}

static void slow_child_poll(void) { each(think_child_poll); }

static void think_socket_poll(void)
{
	int fds[2];
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) != 0)
		exit(1);
	poll_child(fds[0], fds[1]);
}

static void slow_socket_poll(void) { each(think_socket_poll); }

static void think_child_wait(void)
{
	if (fork() == 0) {
		nap(delay);
		_exit(0);
	}
	wait(NULL);
	done();
}

static void slow_child_wait(void) { each(think_child_wait); }

static void think_socket(void)
{
	int fds[2];
	char c;
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) != 0)
		exit(1);
	if (fork() == 0) {
		nap(delay);
		_exit(write(fds[1], "x", 1) != 1);
	}
	if (read(fds[0], &c, 1) == 1)
		done();
	close(fds[0]);
	close(fds[1]);
	wait(NULL);
}

static void slow_socket(void) { each(think_socket); }

static void think_lock(void)
{
	int fds[2];
	char c, name[] = "/tmp/umpire-lock-XXXXXX";
	int fd = mkstemp(name);
	if (fd < 0 || pipe(fds) != 0)
		exit(1);
	if (fork() == 0) {
		int mine = open(name, O_RDWR);
		if (flock(mine, LOCK_EX) != 0 || write(fds[1], "x", 1) != 1)
			_exit(1);
		nap(delay);
		_exit(0);
	}
	if (read(fds[0], &c, 1) == 1 && flock(fd, LOCK_EX) == 0)
		done();
	unlink(name);
	close(fd);
	close(fds[0]);
	close(fds[1]);
	wait(NULL);
}

static void slow_lock(void) { each(think_lock); }

/* The child answers itself; the parent is back at reading. */
static void think_in_child(void)
{
	if (fork() == 0) {
		nap(delay);
		done();
		_exit(0);
	}
}

static void slow_child_answers(void)
{
	signal(SIGCHLD, SIG_IGN);
	each(think_in_child);
}

/* The same by a grandchild that has lost its parent, by one in a session of
 * its own, and by one that holds nothing but the output. */
static void orphan(int session, int shut)
{
	if (fork() == 0) {
		if (session)
			setsid();
		if (fork() == 0) {
			if (shut)
				close(0);
			nap(delay);
			done();
		}
		_exit(0);
	}
	wait(NULL);
}

static void think_orphan(void) { orphan(0, 0); }
static void slow_orphan(void) { each(think_orphan); }
static void think_orphan_shut(void) { orphan(0, 1); }
static void slow_orphan_shut(void) { each(think_orphan_shut); }
static void think_daemon(void) { orphan(1, 0); }
static void slow_daemon(void) { each(think_daemon); }
static void think_daemon_shut(void) { orphan(1, 1); }
static void slow_daemon_shut(void) { each(think_daemon_shut); }

/* An engine of its own, daemonised before the match, that shares neither group
 * nor session nor standard streams with its adapter; that reads ahead in one
 * thread, and waits for the engine in another: by a pipe, a futex or an eventfd. */
static volatile int *shared; /* the questions, and the answers */
static int asks[2], answers[2], event;

static void engine(void (*answer)(void))
{
	char c;
	if (fork() == 0) {
		setsid();
		if (fork() == 0) {
			close(0);
			close(1);
			while (read(asks[0], &c, 1) == 1) {
				nap(4 * delay);
				answer();
			}
		}
		_exit(0);
	}
	wait(NULL);
}

static void *reads_ahead(void *unused)
{
	while (hear())
		if (write(asks[1], "x", 1) != 1)
			break;
	_exit(0);
	return unused;
}

static void adapter(void (*answer)(void), void (*await)(void))
{
	pthread_t t;
	shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED || pipe(asks) != 0 || pipe(answers) != 0)
		exit(1);
	event = eventfd(0, 0);
	engine(answer);
	pthread_create(&t, NULL, reads_ahead, NULL);
	for (;;) {
		await();
		done();
	}
}

static void answer_pipe(void) { if (write(answers[1], "x", 1) != 1) _exit(1); }
static void await_pipe(void) { char c; if (read(answers[0], &c, 1) != 1) exit(1); }
static void slow_engine_pipe(void) { adapter(answer_pipe, await_pipe); }

static void answer_futex(void)
{
	__sync_fetch_and_add(&shared[0], 1);
	syscall(SYS_futex, &shared[0], FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void await_futex(void)
{
	for (; shared[0] == shared[1];)
		syscall(SYS_futex, &shared[0], FUTEX_WAIT, shared[1], NULL, NULL, 0);
	shared[1]++;
}

static void slow_engine_futex(void) { adapter(answer_futex, await_futex); }

static void answer_event(void) { uint64_t n = 1; if (write(event, &n, 8) != 8) _exit(1); }
static void await_event(void) { uint64_t n; if (read(event, &n, 8) != 8) exit(1); }
static void slow_engine_eventfd(void) { adapter(answer_event, await_event); }

/* It stops itself, and its child wakes it. */
static void think_stopped(void)
{
	pid_t me = getpid();
	if (fork() == 0) {
		nap(2 * delay);
		kill(me, SIGCONT);
		_exit(0);
	}
	raise(SIGSTOP);
	wait(NULL);
	done();
}

static void slow_stopped(void) { each(think_stopped); }

/* Threads and processes that hand something on and on: at any moment all but
 * one are parked, and never the same. */
static void think_relay(void)
{
	int to[2], back[2];
	char c = 0;
	if (pipe(to) != 0 || pipe(back) != 0)
		exit(1);
	if (fork() == 0) {
		close(to[1]);
		close(back[0]);
		while (read(to[0], &c, 1) == 1) {
			nap(1);
			if (write(back[1], &c, 1) != 1)
				break;
		}
		_exit(0);
	}
	close(to[0]);
	close(back[1]);
	for (int i = 0; i < delay / 8; i++)
		if (write(to[1], &c, 1) != 1 || read(back[0], &c, 1) != 1)
			exit(1);
	close(to[1]);
	close(back[0]);
	wait(NULL);
	done();
}

static void slow_relay(void) { each(think_relay); }

static pthread_cond_t turn = PTHREAD_COND_INITIALIZER;
static int whose;

static void *tosser(void *me)
{
	for (int i = 0; i < delay / 8; i++) {
		pthread_mutex_lock(&mutex);
		while (whose != (me != NULL))
			pthread_cond_wait(&turn, &mutex);
		nap(1);
		whose = !whose;
		pthread_cond_broadcast(&turn);
		pthread_mutex_unlock(&mutex);
	}
	if (me)
		done();
	return NULL;
}

/* Two threads toss while the third reads. */
static void slow_tossers(void)
{
	while (hear()) {
		pthread_t a, b;
		whose = 0;
		pthread_create(&a, NULL, tosser, NULL);
		pthread_create(&b, NULL, tosser, &lines);
		pthread_detach(a);
		pthread_detach(b);
	}
}

/* Slow to start: it has read nothing yet. */
static void slow_start(void)
{
	nap(3 * delay);
	while (hear())
		done();
}

/* --- the machine is busy --- */

static void load(void)
{
	for (volatile unsigned long i = 0;; i++)
		;
}

static const struct behaviour {
	const char *name;
	void (*run)(void);
} behaviours[] = {
#define B(name) {#name, name},
	B(never_reads) B(two_at_once) B(before_asked) B(closes_input) B(honest)
	B(leaves_with_0) B(leaves_with_3) B(crlf) B(leading_zeros) B(extra_blanks)
	B(chatters) B(lingers)
	B(says) B(nul)
	B(megabyte) B(floods) B(floods_lines) B(floods_blank_lines) B(floods_errors)
	B(exits_with_0) B(exits_with_3) B(no_newline) B(segfaults) B(aborts) B(closes_output)
	B(hogs_by_threads) B(hogs_by_children) B(hogs_by_vfork) B(hogs_by_stops)
	B(sleeps) B(spins) B(byte_by_byte) B(never_ends_its_line)
	B(forgets_to_flush) B(reads_for_ever) B(polls_for_ever) B(selects_for_ever) B(stops_itself)
	B(child_keeps_pipes) B(child_keeps_pipes_at_the_end) B(double_fork) B(child_spins)
	B(slow_sleep) B(slow_compute) B(slow_threads) B(slow_thread) B(slow_reader_thread)
	B(slow_poll) B(slow_select) B(slow_epoll) B(slow_alarm) B(slow_sigwait)
	B(slow_timer) B(slow_timer_thread) B(slow_timerfd) B(slow_timerfd_poll)
	B(slow_child_pipe) B(slow_child_poll) B(slow_child_wait) B(slow_socket)
	B(slow_socket_poll) B(slow_lock)
	B(slow_child_answers) B(slow_orphan) B(slow_orphan_shut) B(slow_daemon)
	B(slow_daemon_shut)
	B(slow_engine_pipe) B(slow_engine_futex) B(slow_engine_eventfd) B(slow_stopped)
	B(slow_relay) B(slow_tossers) B(slow_start)
	B(load)
};

int main(int argc, char **argv)
{
	int n = sizeof behaviours / sizeof behaviours[0];
	if (argc > 1 && strcmp(argv[1], "list") == 0) {
		for (int i = 0; i < n; i++)
			puts(behaviours[i].name);
		return 0;
	}
	replies = argv + 2;
	if (argc > 2)
		delay = atol(argv[2]);
	for (int i = 0; argc > 1 && i < n; i++)
		if (strcmp(argv[1], behaviours[i].name) == 0) {
			behaviours[i].run();
			return 0;
		}
	fprintf(stderr, "usage: adversary BEHAVIOUR [REPLY...]\n");
	return 2;
}
