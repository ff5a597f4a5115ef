/**
 * Blocks from series of ordinals that one instance uses at a time, and that are passed
 * on.
 */
@NullMarked
package dev.idspring.recycled;

import org.jspecify.annotations.NullMarked;
