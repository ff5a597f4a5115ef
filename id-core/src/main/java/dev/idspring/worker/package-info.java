/**
 * The one background loop of everything that talks to a store. Callers hand it requests
 * and wait for it with deadlines; they never hold what it needs to go on.
 */
@NullMarked
package dev.idspring.worker;

import org.jspecify.annotations.NullMarked;
