/**
 * The threads and workers of all components that access a store in the background.
 * Callers submit requests and wait with deadlines. They never hold a lock that a worker
 * needs.
 */
@NullMarked
package dev.idspring.worker;

import org.jspecify.annotations.NullMarked;
