/**
 * Blocks from series of ordinals. One instance at a time uses a series, and another may
 * adopt it later.
 */
@NullMarked
package dev.idspring.recycled;

import org.jspecify.annotations.NullMarked;
