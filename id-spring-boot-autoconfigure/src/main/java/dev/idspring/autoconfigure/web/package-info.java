/**
 * Support for ids in their text form in the paths, parameters and headers of requests. It
 * covers Spring MVC, Spring WebFlux and HTTP service clients.
 */
@NullMarked
package dev.idspring.autoconfigure.web;

import org.jspecify.annotations.NullMarked;
