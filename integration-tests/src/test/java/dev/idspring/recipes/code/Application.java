package dev.idspring.recipes.code;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * The application class that a slice test requires.
 */
@SpringBootApplication
class Application {

}
