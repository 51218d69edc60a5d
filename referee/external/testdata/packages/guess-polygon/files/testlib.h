// What the interactor beside it uses of testlib's way to judge: exit statuses, and a word on
// standard error.
#pragma once
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { _ok = 0, _wa = 1, _pe = 2, _fail = 3, _unexpected_eof = 8 };

[[noreturn]] static void quitf(int status, const char *format, ...) {
    const char *words[] = {"ok", "wrong answer", "wrong output format", "FAIL", "", "", "", "", "unexpected eof"};
    va_list args;
    va_start(args, format);
    fprintf(stderr, "%s ", words[status]);
    vfprintf(stderr, format, args);
    fprintf(stderr, "\n");
    exit(status);
}
