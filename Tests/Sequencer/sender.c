// sender: plays known MIDI to a sequencer port, for loads, for followers, and to prove the rig itself. It shares no
// code with the program under test.
//
// usage: sender [options] clock BPM SECONDS DEST      Start, 1 ms later the first of the pulses at 24 a quarter, Stop
//        sender [options] controllers RATE DEST SECONDS   RATE controller messages a second on channel 1
//        sender [options] raw DEST        lines "SECONDS [@PORT] HEX..." from stdin, as in midimetro's log; @PORT and
//                                         lines that begin with # are ignored; SECONDS may be negative
//        sender [options] ports COUNT SECONDS     a port that comes and goes COUNT times in SECONDS; sends nothing
//   DEST            client:port or a client's name; "-" connects nothing: others subscribe to our port 0, "out", and
//                   time 0 waits for the first one, for a minute at most
//   --name NAME     client name, default "sender"
//   --priority P    SCHED_FIFO priority, default 85; 0 for normal scheduling
//   --wait S        seconds between being connected, or subscribed to, and time 0, default 0.2 (raw: before the
//                   earliest line)
//   --jitter-us SD  clock: every pulse late or early by a Gaussian error of that deviation, at most five of them, the
//                   order kept; --seed N makes another series of errors (default 1). The Stop comes where the next
//                   pulse would; with jitter half a period before that, where no follower can take it for late
//   --skip N        clock: leave pulse N (from 0) out; may be repeated up to 16 times
// stderr: "ready CLIENT", then "origin NS": CLOCK_MONOTONIC of time 0 (of pulse 0)
// exit: 0; 64 usage; 65 a bad line; 69 the sequencer or the destination does not exist
#include <alsa/asoundlib.h>
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { usageError = 64, badData = 65, unavailable = 69, maxSkips = 16 };

typedef struct {
  int64_t at;  // ns from time 0
  long line;
  uint8_t *bytes;
  size_t count;
} Message;

static snd_seq_t *seq;
static snd_seq_event_t event;
static double waitSeconds = 0.2;
static int priority = 85;
static double jitterNanoseconds = 0;
static uint64_t seed = 1;

static int64_t monotonic(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void sleepUntil(int64_t when) {
  struct timespec deadline = {when / 1000000000, when % 1000000000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, NULL) == EINTR) continue;
}

static int check(int result, const char *what) {
  if (result < 0) {
    fprintf(stderr, "sender: %s: %s\n", what, snd_strerror(result));
    exit(unavailable);
  }
  return result;
}

static void usage(const char *what) {
  fprintf(stderr,
          "sender: %s; usage: sender [--name NAME] [--priority P] [--wait S] [--skip N] [--jitter-us SD] [--seed N] "
          "clock BPM SECONDS DEST | controllers RATE DEST SECONDS | raw DEST\n", what);
  exit(usageError);
}

static double number(const char *text, double least, double most) {
  char *end;
  double value = strtod(text, &end);
  if (end == text || *end != 0 || !(value >= least && value <= most)) usage(text);
  return value;
}

static void awaitSubscriber(int port) {
  snd_seq_port_info_t *info;
  snd_seq_port_info_alloca(&info);
  for (int64_t end = monotonic() + INT64_C(60000000000); monotonic() < end; sleepUntil(monotonic() + 2000000)) {
    check(snd_seq_get_port_info(seq, port, info), "snd_seq_get_port_info");
    if (snd_seq_port_info_get_read_use(info) > 0) return;
  }
}

static void connectTo(const char *name, const char *destination) {
  check(snd_seq_open(&seq, "default", SND_SEQ_OPEN_DUPLEX, 0), "snd_seq_open");
  check(snd_seq_set_client_name(seq, name), "snd_seq_set_client_name");
  int port = check(snd_seq_create_simple_port(seq, "out", SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ,
                                              SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_APPLICATION),
                   "snd_seq_create_simple_port");
  if (strcmp(destination, "-") != 0) {
    snd_seq_addr_t address;
    check(snd_seq_parse_address(seq, &address, destination), destination);
    check(snd_seq_connect_to(seq, port, address.client, address.port), destination);
  }
  snd_seq_ev_clear(&event);
  snd_seq_ev_set_source(&event, (unsigned char)port);
  snd_seq_ev_set_subs(&event);
  snd_seq_ev_set_direct(&event);
  fprintf(stderr, "ready %d\n", snd_seq_client_id(seq));
  if (strcmp(destination, "-") == 0) awaitSubscriber(port);
  struct sched_param parameters = {.sched_priority = priority};
  if (priority > 0 && sched_setscheduler(0, SCHED_FIFO, &parameters) != 0) perror("sender: no real-time priority");
  if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) perror("sender: memory not locked");
  prctl(PR_SET_TIMERSLACK, 1UL);
  prctl(PR_SET_THP_DISABLE, 1UL, 0UL, 0UL, 0UL);  // see receiver.c
}

static int64_t announceOrigin(int64_t lead) {
  int64_t origin = monotonic() + (int64_t)(waitSeconds * 1e9) + lead;
  fprintf(stderr, "origin %lld\n", (long long)origin);
  return origin;
}

static void send(void) { check(snd_seq_event_output_direct(seq, &event), "snd_seq_event_output_direct"); }

static void sendAt(int64_t when, snd_seq_event_type_t type) {
  event.type = type;
  sleepUntil(when);
  send();
}

// SplitMix64, so that a seed gives the same series everywhere.
static double uniform(void) {
  uint64_t z = (seed += UINT64_C(0x9E3779B97F4A7C15));
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

// The sum of twelve uniform numbers minus six: deviation 1, close enough to normal. Limited to five.
static double gaussian(void) {
  double sum = -6;
  for (int i = 0; i < 12; i++) sum += uniform();
  return sum > 5 ? 5 : sum < -5 ? -5 : sum;
}

static void playClock(double bpm, double seconds, const long *skips, int skipCount) {
  int64_t milliBPM = (int64_t)(bpm * 1000 + 0.5), length = (int64_t)(seconds * 1e9), origin = announceOrigin(0), at = 0;
  sendAt(origin - 1000000, SND_SEQ_EVENT_START);
  for (long pulse = 0; at < length; pulse++) {
    int skip = 0;
    for (int i = 0; i < skipCount; i++) skip |= skips[i] == pulse;
    int64_t error = jitterNanoseconds > 0 ? (int64_t)(gaussian() * jitterNanoseconds) : 0;
    if (!skip) sendAt(origin + at + error, SND_SEQ_EVENT_CLOCK);
    // Pulse n at n * 60e9 ns / (24 * BPM), rounded once.
    at = (int64_t)(((__int128)(pulse + 1) * 2500000000000 + milliBPM / 2) / milliBPM);
  }
  int64_t early = jitterNanoseconds > 0 ? 1250000000000 / milliBPM : 0;
  sendAt(origin + length - early, SND_SEQ_EVENT_STOP);
}

static void playControllers(double rate, double seconds) {
  long count = (long)(rate * seconds);
  int64_t origin = announceOrigin(0);
  for (long i = 0; i < count; i++) {
    snd_seq_ev_set_controller(&event, 0, 16 + (i & 3), i & 127);
    sleepUntil(origin + (int64_t)((double)i * 1e9 / rate));
    send();
  }
}

static Message parse(char *text, long line) {
  char *at = text, *end;
  double seconds = strtod(at, &end);
  Message message = {.at = (int64_t)(seconds * 1e9 + (seconds < 0 ? -0.5 : 0.5)), .line = line};
  if (end == at) goto bad;
  message.bytes = malloc(strlen(text));
  if (message.bytes == NULL) abort();
  at = end + strspn(end, " \t");
  if (*at == '@') at += strcspn(at, " \t\r\n");
  for (;;) {
    at += strspn(at, " \t\r\n");
    if (*at == 0) break;
    unsigned long byte = strtoul(at, &end, 16);
    if (end == at || byte > 255 || (*end != 0 && !isspace((unsigned char)*end))) goto bad;
    message.bytes[message.count++] = (uint8_t)byte;
    at = end;
  }
  if (message.count > 0) return message;
bad:
  fprintf(stderr, "sender: line %ld is not SECONDS [@PORT] HEX...: %s", line, text);
  exit(badData);
}

static void playRaw(void) {
  Message *messages = NULL;
  size_t count = 0, room = 0;
  char *text = NULL;
  size_t size = 0;
  int64_t earliest = 0;
  for (long line = 1; getline(&text, &size, stdin) > 0; line++) {
    char first = text[strspn(text, " \t\r\n")];
    if (first == 0 || first == '#') continue;
    if (count == room) {
      room = room == 0 ? 1024 : 2 * room;
      messages = realloc(messages, room * sizeof *messages);
      if (messages == NULL) abort();
    }
    messages[count] = parse(text, line);
    if (messages[count].at < earliest) earliest = messages[count].at;
    count++;
  }
  free(text);
  snd_midi_event_t *coder;
  check(snd_midi_event_new(1 << 16, &coder), "snd_midi_event_new");
  snd_seq_event_t header = event;
  int64_t origin = announceOrigin(-earliest);
  for (size_t i = 0; i < count; i++) {
    sleepUntil(origin + messages[i].at);
    size_t used = 0;
    while (used < messages[i].count) {
      event = header;
      long taken = snd_midi_event_encode(coder, messages[i].bytes + used, (long)(messages[i].count - used), &event);
      if (taken <= 0 || event.type == SND_SEQ_EVENT_NONE) {
        fprintf(stderr, "sender: line %ld is not a whole MIDI message\n", messages[i].line);
        exit(badData);
      }
      used += (size_t)taken;
      send();
    }
  }
}

// Announcements for programs that keep a list of ports.
static void comeAndGo(const char *name, long times, double seconds) {
  check(snd_seq_open(&seq, "default", SND_SEQ_OPEN_DUPLEX, 0), "snd_seq_open");
  check(snd_seq_set_client_name(seq, name), "snd_seq_set_client_name");
  int64_t half = (int64_t)(seconds * 1e9 / (2 * (double)times)), at = announceOrigin(0);
  for (long i = 0; i < times; i++) {
    int port = check(snd_seq_create_simple_port(seq, "io", SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ |
                                                SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE,
                                                SND_SEQ_PORT_TYPE_MIDI_GENERIC), "snd_seq_create_simple_port");
    sleepUntil(at += half);
    check(snd_seq_delete_simple_port(seq, port), "snd_seq_delete_simple_port");
    sleepUntil(at += half);
  }
}

int main(int argc, char **argv) {
  const char *name = "sender";
  long skips[maxSkips];
  int skipCount = 0;
  static const struct option options[] = {{"name", 1, NULL, 'n'}, {"priority", 1, NULL, 'p'}, {"wait", 1, NULL, 'w'},
                                          {"skip", 1, NULL, 's'}, {"jitter-us", 1, NULL, 'j'},
                                          {"seed", 1, NULL, 'e'}, {NULL, 0, NULL, 0}};
  for (int option; (option = getopt_long(argc, argv, "+", options, NULL)) != -1;) {
    switch (option) {
      case 'n': name = optarg; break;
      case 'p': priority = (int)number(optarg, 0, 99); break;
      case 'w': waitSeconds = number(optarg, 0, 1e6); break;
      case 's':
        if (skipCount == maxSkips) usage("too many --skip");
        skips[skipCount++] = (long)number(optarg, 0, 1e9);
        break;
      case 'j': jitterNanoseconds = number(optarg, 0, 1e5) * 1000; break;
      case 'e': seed = (uint64_t)number(optarg, 0, 1e9); break;
      default: usage("unknown option");
    }
  }
  char **words = argv + optind;
  int count = argc - optind;
  if (count == 4 && strcmp(words[0], "clock") == 0) {
    double bpm = number(words[1], 1, 1000), seconds = number(words[2], 0.001, 1e6);
    connectTo(name, words[3]);
    playClock(bpm, seconds, skips, skipCount);
  } else if (count == 4 && strcmp(words[0], "controllers") == 0) {
    double rate = number(words[1], 0.001, 1e5), seconds = number(words[3], 0.001, 1e6);
    connectTo(name, words[2]);
    playControllers(rate, seconds);
  } else if (count == 2 && strcmp(words[0], "raw") == 0) {
    connectTo(name, words[1]);
    playRaw();
  } else if (count == 3 && strcmp(words[0], "ports") == 0) {
    comeAndGo(name, (long)number(words[1], 1, 1e6), number(words[2], 0.001, 1e6));
  } else {
    usage("what to play?");
  }
  // The kernel takes about 0.5 ms to end a process, which must not delay anyone.
  struct sched_param ordinary = {0};
  sched_setscheduler(0, SCHED_OTHER, &ordinary);
  snd_seq_close(seq);
  return 0;
}
