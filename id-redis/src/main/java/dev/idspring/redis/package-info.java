/**
 * Stores of key spaces and slots on Valkey and Redis.
 */
@NullMarked
package dev.idspring.redis;

import org.jspecify.annotations.NullMarked;
