/**
 * What the integrations with JPA, Spring Data, Jackson and Spring's web frameworks have
 * in common: which generator an entity's ids come from, and in which form they are kept.
 */
@NullMarked
package dev.idspring.entity;

import org.jspecify.annotations.NullMarked;
