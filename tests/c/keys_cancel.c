/* Calls that another thread ends. `tests/keys_cancel` describes it. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#ifdef _WIN32
#define API __declspec(dllexport)
#else
#define API
#endif

struct engine {
    atomic_int stop;
    atomic_int stops;
};

struct job {
    struct engine *of;
};

API struct engine *engine_new(void) { return calloc(1, sizeof(struct engine)); }
API void engine_free(struct engine *engine) { free(engine); }

/* What it returns is ignored. */
API int engine_stop(struct engine *engine) {
    engine->stop = 1;
    return ++engine->stops;
}

API int engine_stops(struct engine *engine) { return engine->stops; }

/* Like SQLite, it forgets what it was asked before it began. It gives up after a while, so that a test that fails ends. */
API int engine_run(struct engine *engine) {
    time_t until = time(NULL) + 20;
    engine->stop = 0;
    while (!engine->stop) {
        if (time(NULL) > until) {
            return 1;
        }
    }
    errno = EINTR;
    return -1;
}

/* The first of two engines may be missing. */
API int engine_race(struct engine *one, struct engine *other) {
    time_t until = time(NULL) + 20;
    if (one) {
        one->stop = 0;
    }
    other->stop = 0;
    while ((one && !one->stop) || !other->stop) {
        if (time(NULL) > until) {
            return 1;
        }
    }
    return -1;
}

API struct job *job_new(struct engine *engine) {
    struct job *job = malloc(sizeof *job);
    if (job) {
        job->of = engine;
    }
    return job;
}

API void job_free(struct job *job) { free(job); }
API int job_run(struct job *job) { return engine_run(job->of); }
