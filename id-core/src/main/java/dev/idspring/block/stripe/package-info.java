/**
 * Distributes ordinals (positions in a key space) to threads without contention. An
 * engine cuts chunks from its current block. A stripe holds a chunk for one thread, and
 * any thread may take from a shared chunk. So threads seldom access the block, and a key
 * costs little more than an addition.
 */
@NullMarked
package dev.idspring.block.stripe;

import org.jspecify.annotations.NullMarked;
