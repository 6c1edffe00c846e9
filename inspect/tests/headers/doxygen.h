/**
 * @file doxygen.h
 * Not the description of the function below.
 */
#include <stddef.h>

/** @defgroup all All of them
 * @{ */

/**
 * @brief Copies a block.
 *
 * The blocks must not overlap. See @ref other for those that do,
 * and \c memmove.
 *
 * @param[out] to    where to, of at least
 *                   @p n bytes
 * @param[in]  from  where from
 * @param      n     how many bytes
 * @return how many bytes were copied,
 *         or a negative number
 * @retval -1 for no memory
 * @note Slow for small blocks.
 * @ingroup blocks
 * @author Nobody
 */
int copy_block(void *to, const void *from, size_t n);

/*!
 * \brief Moves a value.
 * \param[in,out] value The value - before and after.
 * \param by - how far
 * \returns The new value.
 */
int move_value(int *value, int by);

/// One line.
/// And another.
int by_lines(void);

int documented_behind(int x); /**< About the function before it. */
int documented_far(int x); ///< About this one.

/**
 * gtk_like:
 * @object: the object
 * @flags: (inout) (optional): how
 *
 * Does something to an object.
 *
 * Returns: (transfer full): another object
 */
void *gtk_like(void *object, int flags);

/** The first of two. */
int one_of_two(void);
int two_of_two(void);

/**
 * With an example:
 *
 * @code
 * int x = example(1);
 *   if (x) return;
 * @endcode
 */
int example(int x);

/** @} */
