/**
 * The common rules of all stores: the consequences of a read, and the order of reads and
 * writes. A store supplies single reads and conditional writes.
 */
@NullMarked
package dev.idspring.store.rules;

import org.jspecify.annotations.NullMarked;
