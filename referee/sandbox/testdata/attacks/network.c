// expects: none=any basic=ok box=ok strict=ok
#include "attack.h"
int main(void) {
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(env_int("PORT"))};
	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	if (fd >= 0 && connect(fd, (void *)&a, sizeof a) == 0) got("tcp");
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	if (fd >= 0 && sendto(fd, "x", 1, 0, (void *)&a, sizeof a) == 1) got("udp");
	if (socket(AF_INET6, SOCK_STREAM, 0) >= 0) got("ipv6");
	if (socket(AF_NETLINK, SOCK_RAW, 0) >= 0) got("netlink");
	if (socket(AF_VSOCK, SOCK_STREAM, 0) >= 0) got("vsock");
	if (socket(AF_ALG, SOCK_SEQPACKET, 0) >= 0) got("alg");
	struct sockaddr_un u = {.sun_family = AF_UNIX};
	strncpy(u.sun_path + 1, env("ABSTRACT"), sizeof u.sun_path - 2);
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (fd >= 0 && connect(fd, (void *)&u, offsetof(struct sockaddr_un, sun_path) + 1 + strlen(env("ABSTRACT"))) == 0)
		got("abstract socket");
	// Where services of the user and the machine listen.
	struct sockaddr_un f = {.sun_family = AF_UNIX};
	strncpy(f.sun_path, env("SOCKET"), sizeof f.sun_path - 1);
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (fd >= 0 && connect(fd, (void *)&f, sizeof f) == 0) got("socket file");
	fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	if (fd >= 0 && sendto(fd, "x", 1, 0, (void *)&f, sizeof f) == 1) got("datagram to socket file");
	return 0;
}
