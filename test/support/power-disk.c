// One file, disk.img, through FUSE: its writes and flushes go to a log, each with its time. power-disk IMAGE LOG FOLDER
#define FUSE_USE_VERSION 31
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int image, history;
static off_t size;

struct record {
  uint64_t time, offset;
  uint32_t length, kind;
};

static void note(uint64_t offset, uint32_t length, uint32_t kind, const char *bytes) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  struct record one = {(uint64_t)now.tv_sec * 1000000000ull + now.tv_nsec, offset, length, kind};
  if (write(history, &one, sizeof one) != sizeof one || write(history, bytes, length) != (ssize_t)length)
    abort();
}

static int get_attributes(const char *path, struct stat *stats, struct fuse_file_info *info) {
  (void)info;
  memset(stats, 0, sizeof *stats);
  int is_root = !strcmp(path, "/");
  if (!is_root && strcmp(path, "/disk.img"))
    return -ENOENT;
  stats->st_mode = is_root ? S_IFDIR | 0700 : S_IFREG | 0600;
  stats->st_nlink = is_root ? 2 : 1;
  stats->st_size = is_root ? 0 : size;
  return 0;
}

static int open_file(const char *path, struct fuse_file_info *info) {
  info->direct_io = 1;
  return strcmp(path, "/disk.img") ? -ENOENT : 0;
}

static int read_file(const char *path, char *bytes, size_t length, off_t offset, struct fuse_file_info *info) {
  (void)path, (void)info;
  ssize_t count = pread(image, bytes, length, offset);
  return count < 0 ? -errno : (int)count;
}

static int write_file(const char *path, const char *bytes, size_t length, off_t offset,
                      struct fuse_file_info *info) {
  (void)path, (void)info;
  ssize_t count = pwrite(image, bytes, length, offset);
  if (count > 0)
    note(offset, count, 1, bytes);
  return count < 0 ? -errno : (int)count;
}

static int flush_file(const char *path, int is_data, struct fuse_file_info *info) {
  (void)path, (void)is_data, (void)info;
  note(0, 0, 2, "");
  return 0;
}

int main(int count, char **words) {
  if (count != 4)
    return 2;
  image = open(words[1], O_RDWR);
  history = open(words[2], O_WRONLY | O_CREAT | O_APPEND | O_TRUNC, 0600);
  size = lseek(image, 0, SEEK_END);
  if (image < 0 || history < 0)
    return 3;
  static const struct fuse_operations operations = {
      .getattr = get_attributes, .open = open_file, .read = read_file, .write = write_file, .fsync = flush_file};
  // In the foreground and one request at a time: the log has their order.
  char *arguments[] = {words[0], words[3], "-f", "-s"};
  return fuse_main(4, arguments, &operations, NULL);
}
