/**
 * The only background loop of every component that accesses a store. Callers hand it
 * requests and wait with deadlines; they never hold a lock that it needs.
 */
@NullMarked
package dev.idspring.worker;

import org.jspecify.annotations.NullMarked;
