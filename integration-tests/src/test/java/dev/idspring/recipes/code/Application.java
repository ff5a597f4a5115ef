package dev.idspring.recipes.code;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * What a test of a slice searches for.
 */
@SpringBootApplication
class Application {

}
