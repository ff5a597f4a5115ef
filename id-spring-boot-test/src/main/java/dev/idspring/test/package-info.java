/**
 * For tests of applications and of their own stores: a clock that can be set, and the
 * contracts of stores. Only this package needs JUnit Jupiter and AssertJ.
 */
@NullMarked
package dev.idspring.test;

import org.jspecify.annotations.NullMarked;
