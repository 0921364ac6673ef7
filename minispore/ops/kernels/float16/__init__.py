"""float16 on the CPU: conversion, elementwise arithmetic, and rounding of values kept in float32."""
