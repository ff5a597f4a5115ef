/**
 * The threads and workers with which components access a store in the background. Callers
 * submit requests and wait until a deadline. While they wait, they hold no lock that a
 * worker needs.
 */
@NullMarked
package dev.idspring.worker;

import org.jspecify.annotations.NullMarked;
