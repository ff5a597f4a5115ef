/**
 * The rules of stores, once for all of them: what follows from what a store has read, and
 * in which order it reads and writes. A store supplies single reads and conditional
 * writes.
 */
@NullMarked
package dev.idspring.store.rules;

import org.jspecify.annotations.NullMarked;
