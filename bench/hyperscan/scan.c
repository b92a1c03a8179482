/*
 * The same patterns over the same texts with Hyperscan, for `npm run bench -- scan`.
 *
 *   scan PATTERNS TEXTS HITS ROUNDS
 *
 * PATTERNS: one a line. TEXTS: each text's length in bytes on a line, then the text and a newline.
 * HITS (written): for each text the numbers of the patterns that match, ascending, on a line.
 * Texts are within ASCII: there all engines know the same words, digits and blanks without Unicode modes,
 * which would only slow Hyperscan down. A pattern that Hyperscan refuses (look-around, back-reference) is taken in its prefilter mode, and
 * where that reports it, PCRE2 (just-in-time compiled) decides. Standard output: JSON.
 */
#define _POSIX_C_SOURCE 200809L
#define PCRE2_CODE_UNIT_WIDTH 8
#include <hs/hs.h>
#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_PATTERNS = 8192 };

static char *patterns[MOST_PATTERNS];
static unsigned flags[MOST_PATTERNS], ids[MOST_PATTERNS];
static pcre2_code *exact[MOST_PATTERNS];
static pcre2_match_data *match_data;
static unsigned char found[MOST_PATTERNS];
static int pattern_count, prefiltered, slow_count;
static int slow[MOST_PATTERNS];

struct text { const char *start; size_t length; };

static void fail(const char *what, const char *which) {
  fprintf(stderr, "scan: %s: %s\n", what, which);
  exit(2);
}

static char *read_all(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (!file) fail("cannot be read", path);
  fseek(file, 0, SEEK_END);
  *length = (size_t)ftell(file);
  rewind(file);
  char *content = malloc(*length + 1);
  if (!content || fread(content, 1, *length, file) != *length) fail("cannot be read", path);
  content[*length] = 0;
  fclose(file);
  return content;
}

static pcre2_code *compile_exact(const char *pattern) {
  int code;
  PCRE2_SIZE at;
  pcre2_code *compiled = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED,
      PCRE2_CASELESS, &code, &at, NULL);
  if (!compiled) fail("PCRE2 refuses", pattern);
  pcre2_jit_compile(compiled, PCRE2_JIT_COMPLETE);
  return compiled;
}

static int accepts(const char *pattern, unsigned with) {
  hs_expr_info_t *info = NULL;
  hs_compile_error_t *error = NULL;
  if (hs_expression_info(pattern, with, &info, &error) != HS_SUCCESS) {
    hs_free_compile_error(error);
    return 0;
  }
  free(info);
  return 1;
}

/* Chooses how each pattern runs: wholly in Hyperscan, prefiltered, or by PCRE2 alone. */
static hs_database_t *compile_all(void) {
  static const char *expressions[MOST_PATTERNS];
  int count = 0;
  unsigned plain = HS_FLAG_CASELESS | HS_FLAG_SINGLEMATCH;
  for (int at = 0; at < pattern_count; at += 1) {
    unsigned with = plain;
    if (!accepts(patterns[at], with)) {
      exact[at] = compile_exact(patterns[at]);
      with |= HS_FLAG_PREFILTER;
      if (!accepts(patterns[at], with)) {
        slow[slow_count++] = at;
        continue;
      }
      prefiltered += 1;
    }
    expressions[count] = patterns[at];
    flags[count] = with;
    ids[count++] = (unsigned)at;
  }
  hs_database_t *database = NULL;
  hs_compile_error_t *error = NULL;
  if (hs_compile_multi(expressions, flags, ids, (unsigned)count, HS_MODE_BLOCK, NULL, &database,
          &error) != HS_SUCCESS)
    fail("Hyperscan refuses", error->message);
  return database;
}

static int on_match(unsigned id, unsigned long long from, unsigned long long to, unsigned with,
    void *context) {
  (void)from, (void)to, (void)with, (void)context;
  found[id] = 1;
  return 0;
}

static int decides(int at, struct text text) {
  return pcre2_match(exact[at], (PCRE2_SPTR)text.start, text.length, 0, 0, match_data, NULL) >= 0;
}

static void scan_text(hs_database_t *database, hs_scratch_t *scratch, struct text text) {
  memset(found, 0, (size_t)pattern_count);
  if (hs_scan(database, text.start, (unsigned)text.length, 0, scratch, on_match, NULL) != HS_SUCCESS)
    fail("scan failed", "");
  for (int at = 0; at < pattern_count; at += 1)
    if (found[at] && exact[at]) found[at] = (unsigned char)decides(at, text);
  for (int at = 0; at < slow_count; at += 1)
    found[slow[at]] = (unsigned char)decides(slow[at], text);
}

static double processor_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
  if (argc != 5) fail("usage", "scan PATTERNS TEXTS HITS ROUNDS");
  size_t length;
  char *lines = read_all(argv[1], &length);
  for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n"))
    if (pattern_count < MOST_PATTERNS) patterns[pattern_count++] = line;
  char *content = read_all(argv[2], &length);
  size_t room = 1024, count = 0;
  struct text *texts = malloc(room * sizeof *texts);
  for (char *at = content; at < content + length;) {
    struct text text;
    char *rest;
    text.length = strtoul(at, &rest, 10);
    text.start = rest + 1;
    if (count == room) texts = realloc(texts, (room *= 2) * sizeof *texts);
    texts[count++] = text;
    at = rest + 1 + text.length + 1;
  }
  double started = processor_seconds();
  hs_database_t *database = compile_all();
  double compiled = processor_seconds() - started;
  hs_scratch_t *scratch = NULL;
  if (hs_alloc_scratch(database, &scratch) != HS_SUCCESS) fail("no scratch", "");
  match_data = pcre2_match_data_create(64, NULL);
  double best = 1e9;
  for (int round = 0; round < atoi(argv[4]); round += 1) {
    double start = processor_seconds();
    for (size_t at = 0; at < count; at += 1) scan_text(database, scratch, texts[at]);
    double took = processor_seconds() - start;
    if (took < best) best = took;
  }
  FILE *hits = fopen(argv[3], "w");
  if (!hits) fail("cannot be written", argv[3]);
  for (size_t at = 0; at < count; at += 1) {
    scan_text(database, scratch, texts[at]);
    for (int id = 0; id < pattern_count; id += 1)
      if (found[id]) fprintf(hits, "%d ", id);
    fputc('\n', hits);
  }
  fclose(hits);
  printf("{\"seconds\":%f,\"compile\":%f,\"prefiltered\":%d,\"slow\":%d,\"version\":\"%s\"}\n", best,
      compiled, prefiltered, slow_count, hs_version());
  return 0;
}
