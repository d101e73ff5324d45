// receiver: an independent recorder of what a sequencer client sends. It shares no code with the program under test.
//
// One client with N input ports. The kernel stamps every event on delivery from one running real-time queue, so a
// stamp does not depend on when this program is scheduled. Records are kept in memory and written to stdout at the
// end (after --seconds, or on SIGTERM or SIGINT), so that writing cannot disturb what is measured.
//
// usage: receiver [--ports N] [--name NAME] [--seconds S] [--connect ADDR[=PORT]]... [--priority P] [--no-read S] [--room N]
//   --ports N      input ports, default 1; port k is named "in k"
//   --name NAME    client name, default "receiver"
//   --seconds S    end after S seconds (fractions allowed), default: run until a signal
//   --connect A=P  subscribe source A (client:port) to our port P, default 0; may be repeated
//   --priority P   SCHED_FIFO priority, default 80; 0 for normal scheduling. Stamps do not depend on it, but on one
//                  CPU a receiver above the sender interrupts it between two messages of one instant.
//   --room N       records to allocate at the start, default enough for an hour of clock; filling much memory
//                  with zeros on one CPU would disturb a run that is under way
//   --no-read S    leave the input unread for the first S seconds, to see what an overrun does
// stderr: "ready CLIENT" once everything is connected
// stdout: "# ..." header lines, then one line an event:
//   NS PORT CLIENT:PORT HEX...   NS is CLOCK_MONOTONIC, HEX the bytes as on a MIDI cable, without running status
//   NS PORT CLIENT:PORT TYPE n   an event that has no MIDI bytes (sequencer event type n)
//   NS - - OVERRUN               the input overflowed and the kernel dropped unread events (NS: when noticed)
// exit: 0; 64 usage; 69 the sequencer or a source does not exist; 74 stdout cannot be written
#define _GNU_SOURCE  // ppoll
#include <alsa/asoundlib.h>
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

enum { usageError = 64, unavailable = 69, writeError = 74 };
enum { maxPorts = 64, maxConnections = 64, inputPool = 2000, calibrationReads = 50 };
enum { ticksPerSecond = 10 };  // the least the kernel takes

typedef struct {
  int64_t stamp;        // ns of the queue; of CLOCK_MONOTONIC when `overrun`
  uint8_t port, sourceClient, sourcePort, overrun;
  uint8_t type;         // sequencer event type
  uint32_t count;       // MIDI bytes; 0 when the event has none
  union {
    uint8_t here[8];
    uint8_t *elsewhere; // a message longer than `here`
  } bytes;
} Record;

static Record *records;
static size_t recordCount, recordRoom = 1 << 19;  // an hour of clock and clicks

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
    fprintf(stderr, "receiver: %s: %s\n", what, snd_strerror(result));
    exit(unavailable);
  }
  return result;
}

static Record *newRecord(void) {
  if (recordCount == recordRoom) {
    Record *more = realloc(records, 2 * recordRoom * sizeof *records);
    if (more == NULL) abort();
    records = more;
    recordRoom *= 2;
  }
  Record *record = &records[recordCount++];
  memset(record, 0, sizeof *record);
  return record;
}

// Between two ticks of its timer the kernel interpolates a queue's time with its own clock, so slow ticks stamp as
// finely as fast ones, disturb the sender less, and let an hour of virtual time pass faster.
static void slowTicks(snd_seq_t *seq, int queue) {
  snd_seq_queue_timer_t *timer;
  snd_seq_queue_timer_alloca(&timer);
  check(snd_seq_get_queue_timer(seq, queue, timer), "snd_seq_get_queue_timer");
  snd_seq_queue_timer_set_resolution(timer, ticksPerSecond);
  check(snd_seq_set_queue_timer(seq, queue, timer), "snd_seq_set_queue_timer");
}

// CLOCK_MONOTONIC minus queue time: the tightest of many bracketed reads after each of `ticks` ticks; the middle of
// their range. The uncertainty is half the bracket plus half that range (each tick is handled a little late).
static int64_t queueOffset(snd_seq_t *seq, int queue, int ticks, int64_t *uncertainty) {
  snd_seq_queue_status_t *status;
  snd_seq_queue_status_alloca(&status);
  int64_t least = INT64_MAX, greatest = INT64_MIN, widest = 0;
  for (int tick = 0; tick < ticks; tick++) {
    if (tick > 0) sleepUntil(monotonic() + 1000000000 / ticksPerSecond);
    int64_t best = INT64_MAX, offset = 0;
    for (int i = 0; i < calibrationReads; i++) {
      int64_t before = monotonic();
      check(snd_seq_get_queue_status(seq, queue, status), "snd_seq_get_queue_status");
      int64_t after = monotonic();
      if (after - before >= best) continue;
      const snd_seq_real_time_t *time = snd_seq_queue_status_get_real_time(status);
      best = after - before;
      offset = before + best / 2 - (time->tv_sec * INT64_C(1000000000) + time->tv_nsec);
    }
    if (offset < least) least = offset;
    if (offset > greatest) greatest = offset;
    if (best > widest) widest = best;
  }
  *uncertainty = (widest + greatest - least) / 2;
  return least + (greatest - least) / 2;
}

static void keep(const snd_seq_event_t *event, snd_midi_event_t *coder) {
  static uint8_t buffer[1 << 16];
  Record *record = newRecord();
  record->stamp = event->time.time.tv_sec * INT64_C(1000000000) + event->time.time.tv_nsec;
  record->port = event->dest.port;
  record->sourceClient = event->source.client;
  record->sourcePort = event->source.port;
  record->type = event->type;
  long count = snd_midi_event_decode(coder, buffer, sizeof buffer, event);
  if (count <= 0) return;
  record->count = (uint32_t)count;
  uint8_t *to = record->bytes.here;
  if ((size_t)count > sizeof record->bytes.here) {
    to = malloc((size_t)count);
    if (to == NULL) abort();
    record->bytes.elsewhere = to;
  }
  memcpy(to, buffer, (size_t)count);
}

static void readAll(snd_seq_t *seq, snd_midi_event_t *coder) {
  for (;;) {
    snd_seq_event_t *event;
    int result = snd_seq_event_input(seq, &event);
    if (result == -ENOSPC) {
      Record *record = newRecord();
      record->stamp = monotonic();
      record->overrun = 1;
    } else if (result == -EAGAIN || result == -EINTR) {
      return;
    } else {
      check(result, "snd_seq_event_input");
      keep(event, coder);
    }
  }
}

static void writeAll(int64_t offset) {
  for (size_t i = 0; i < recordCount; i++) {
    const Record *record = &records[i];
    if (record->overrun) {
      printf("%lld - - OVERRUN\n", (long long)record->stamp);
      continue;
    }
    printf("%lld %u %u:%u", (long long)(record->stamp + offset), record->port, record->sourceClient, record->sourcePort);
    const uint8_t *bytes = record->count > sizeof record->bytes.here ? record->bytes.elsewhere : record->bytes.here;
    if (record->count == 0) printf(" TYPE %u", record->type);
    for (uint32_t k = 0; k < record->count; k++) printf(" %02X", bytes[k]);
    putchar('\n');
  }
}

static void usage(const char *what) {
  fprintf(stderr,
          "receiver: %s; usage: receiver [--ports N] [--name NAME] [--seconds S] [--connect ADDR[=PORT]] "
          "[--priority P] [--no-read S] [--room N]\n", what);
  exit(usageError);
}

static double number(const char *text, double least, double most) {
  char *end;
  double value = strtod(text, &end);
  if (end == text || *end != 0 || !(value >= least && value <= most)) usage(text);
  return value;
}

int main(int argc, char **argv) {
  int ports = 1, priority = 80, connections = 0;
  double seconds = 0, noRead = 0;
  const char *name = "receiver";
  char *connect[maxConnections];
  static const struct option options[] = {
      {"ports", 1, NULL, 'p'},    {"name", 1, NULL, 'n'},     {"seconds", 1, NULL, 's'}, {"connect", 1, NULL, 'c'},
      {"priority", 1, NULL, 'r'}, {"no-read", 1, NULL, 'd'}, {"room", 1, NULL, 'm'},     {NULL, 0, NULL, 0}};
  for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    switch (option) {
      case 'p': ports = (int)number(optarg, 1, maxPorts); break;
      case 'n': name = optarg; break;
      case 's': seconds = number(optarg, 0.001, 1e6); break;
      case 'r': priority = (int)number(optarg, 0, 99); break;
      case 'd': noRead = number(optarg, 0, 1e6); break;
      case 'm': recordRoom = (size_t)number(optarg, 1, 1e9); break;
      case 'c':
        if (connections == maxConnections) usage("too many --connect");
        connect[connections++] = optarg;
        break;
      default: usage("unknown option");
    }
  }
  if (optind != argc) usage(argv[optind]);

  // Signals wake the poll below, so that the log is complete however this program is ended.
  sigset_t ending;
  sigemptyset(&ending);
  sigaddset(&ending, SIGTERM);
  sigaddset(&ending, SIGINT);
  sigprocmask(SIG_BLOCK, &ending, NULL);
  int signals = signalfd(-1, &ending, SFD_CLOEXEC);

  // The kernel's khugepaged, collecting our pages into a huge one, would stall everything on one CPU for milliseconds.
  prctl(PR_SET_THP_DISABLE, 1UL, 0UL, 0UL, 0UL);
  records = malloc(recordRoom * sizeof *records);
  if (records == NULL || signals < 0) abort();
  // Page faults now, not while receiving.
  memset(records, 0, recordRoom * sizeof *records);

  snd_seq_t *seq;
  check(snd_seq_open(&seq, "default", SND_SEQ_OPEN_DUPLEX, SND_SEQ_NONBLOCK), "snd_seq_open");
  check(snd_seq_set_client_name(seq, name), "snd_seq_set_client_name");
  check(snd_seq_set_client_pool_input(seq, inputPool), "snd_seq_set_client_pool_input");
  check(snd_seq_set_input_buffer_size(seq, inputPool * sizeof(snd_seq_event_t)), "snd_seq_set_input_buffer_size");
  int queue = check(snd_seq_alloc_queue(seq), "snd_seq_alloc_queue");
  slowTicks(seq, queue);
  check(snd_seq_start_queue(seq, queue, NULL), "snd_seq_start_queue");
  check(snd_seq_drain_output(seq), "snd_seq_drain_output");
  snd_midi_event_t *coder;
  check(snd_midi_event_new(1 << 16, &coder), "snd_midi_event_new");
  snd_midi_event_no_status(coder, 1);

  const char *scheduling = "normal";
  struct sched_param parameters = {.sched_priority = priority};
  if (priority > 0 && sched_setscheduler(0, SCHED_FIFO, &parameters) == 0) scheduling = "FIFO";
  const char *memory = mlockall(MCL_CURRENT | MCL_FUTURE) == 0 ? "locked" : "not locked";

  sleepUntil(monotonic() + 2 * (1000000000 / ticksPerSecond));  // the first tick sets the queue's pace
  int64_t uncertainty, offset = queueOffset(seq, queue, 5, &uncertainty);
  printf("# receiver %s client %d ports %d scheduling %s %d memory %s\n", name, snd_seq_client_id(seq), ports,
         scheduling, priority, memory);
  printf("# calibration: CLOCK_MONOTONIC = queue time + %lld ns, uncertain by +-%lld ns\n", (long long)offset,
         (long long)uncertainty);

  // Ports last: a program waiting for this name connects at once, and must find a queue that keeps time.
  for (int port = 0; port < ports; port++) {
    char portName[16];
    snprintf(portName, sizeof portName, "in %d", port);
    snd_seq_port_info_t *info;
    snd_seq_port_info_alloca(&info);
    snd_seq_port_info_set_name(info, portName);
    snd_seq_port_info_set_port(info, port);
    snd_seq_port_info_set_port_specified(info, 1);
    snd_seq_port_info_set_capability(info, SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE);
    snd_seq_port_info_set_type(info, SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_APPLICATION);
    snd_seq_port_info_set_midi_channels(info, 16);
    snd_seq_port_info_set_timestamping(info, 1);
    snd_seq_port_info_set_timestamp_real(info, 1);
    snd_seq_port_info_set_timestamp_queue(info, queue);
    check(snd_seq_create_port(seq, info), "snd_seq_create_port");
  }
  printf("# ports made at %lld\n", (long long)monotonic());
  for (int i = 0; i < connections; i++) {
    char *equals = strrchr(connect[i], '=');
    int port = equals == NULL ? 0 : (int)number(equals + 1, 0, ports - 1);
    if (equals != NULL) *equals = 0;
    snd_seq_addr_t source;
    check(snd_seq_parse_address(seq, &source, connect[i]), connect[i]);
    check(snd_seq_connect_from(seq, port, source.client, source.port), connect[i]);
  }
  fprintf(stderr, "ready %d\n", snd_seq_client_id(seq));

  int64_t start = monotonic(), end = seconds > 0 ? start + (int64_t)(seconds * 1e9) : INT64_MAX;
  int64_t readFrom = start + (int64_t)(noRead * 1e9);
  struct pollfd waits[2] = {{.fd = signals, .events = POLLIN}};
  check(snd_seq_poll_descriptors(seq, &waits[1], 1, POLLIN), "snd_seq_poll_descriptors");
  for (;;) {
    int64_t now = monotonic();
    int reading = now >= readFrom;
    if (reading) readAll(seq, coder);
    if (now >= end || (waits[0].revents & POLLIN)) break;
    int64_t wake = reading || end < readFrom ? end : readFrom;
    struct timespec wait = {(wake - now) / 1000000000, (wake - now) % 1000000000};
    ppoll(waits, reading ? 2 : 1, wake == INT64_MAX ? NULL : &wait, NULL);
  }
  readAll(seq, coder);

  int64_t endUncertainty, drift = queueOffset(seq, queue, 1, &endUncertainty) - offset;
  printf("# at the end the calibration differs by %lld ns, uncertain by +-%lld ns\n", (long long)drift,
         (long long)endUncertainty);
  writeAll(offset);
  snd_midi_event_free(coder);
  snd_seq_close(seq);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    perror("receiver: stdout");
    return writeError;
  }
  return 0;
}
