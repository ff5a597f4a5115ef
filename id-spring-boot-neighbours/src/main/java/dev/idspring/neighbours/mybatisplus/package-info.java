/**
 * Ids for the entities that MyBatis-Plus inserts.
 */
@NullMarked
package dev.idspring.neighbours.mybatisplus;

import org.jspecify.annotations.NullMarked;
