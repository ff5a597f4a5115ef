/**
 * Reads and writes the text form of ids in the paths, parameters and headers of requests.
 * Supports Spring MVC, Spring WebFlux and HTTP service clients.
 */
@NullMarked
package dev.idspring.autoconfigure.web;

import org.jspecify.annotations.NullMarked;
