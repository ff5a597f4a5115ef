/**
 * Chunks of ordinals that are cut from the current block of an engine, and stripes, each
 * of which holds a chunk for one thread. Threads therefore seldom access the block
 * itself, and a key costs little more than an addition.
 */
@NullMarked
package dev.idspring.block.stripe;

import org.jspecify.annotations.NullMarked;
