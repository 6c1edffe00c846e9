/* A header that describes its functions below them. */

int compress(const char *source, int length);
/*
     Compresses the source. length is its length in bytes.

     compress returns 0 if it succeeds. It is like compress_more() with a
   level of 6.

       int code = compress(source, 10);
       if (code != 0) error();
*/

int compress_more(const char *source, int length, int level);
/*
     Compresses the source. The level is between 0 and 9:
     - 0 is fast
     - 9 is small
*/

int finish(void *stream);
/*
     All is freed that belongs to the stream.
*/

/*
int start OF((void *stream, int level));

     Begins to compress. The level is as in compress_more().
*/
#define start(stream, level) start_((stream), (level), 1)

int position(void *, int);
/* int position OF((void *stream, int whence));

     Where the stream is.
*/

int start_(void *stream, int level, int version);
