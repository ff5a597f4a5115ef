/**
 * Stores that keep their data in the memory of this JVM.
 */
@NullMarked
package dev.idspring.store.memory;

import org.jspecify.annotations.NullMarked;
