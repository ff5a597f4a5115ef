/**
 * For the tests of those who use this library: a clock that can be set, and what every
 * store has to do. Needs JUnit Jupiter and AssertJ, which nothing else does.
 */
@NullMarked
package dev.idspring.test;

import org.jspecify.annotations.NullMarked;
