/**
 * Stripes and chunks of ordinals, which threads use up before they take more from the
 * current block. With them, a key costs little more than an addition.
 */
@NullMarked
package dev.idspring.block.stripe;

import org.jspecify.annotations.NullMarked;
