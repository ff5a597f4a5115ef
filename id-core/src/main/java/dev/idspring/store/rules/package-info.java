/**
 * The rules that all stores share. They determine in which order a store reads and
 * writes, and how it reacts to the state that it has read. A store implements only the
 * individual reads and conditional writes.
 */
@NullMarked
package dev.idspring.store.rules;

import org.jspecify.annotations.NullMarked;
