/**
 * Stripes and chunks of ordinals. They are cut from the current block of an engine, so
 * that threads seldom need to access the block itself. With them, a key costs little more
 * than an addition.
 */
@NullMarked
package dev.idspring.block.stripe;

import org.jspecify.annotations.NullMarked;
