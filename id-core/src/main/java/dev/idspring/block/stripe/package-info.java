/**
 * Stripes and chunks of ordinals between callers and the current block of an engine. With
 * them, a key costs little more than an addition.
 */
@NullMarked
package dev.idspring.block.stripe;

import org.jspecify.annotations.NullMarked;
