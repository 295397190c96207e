"""The gRPC parts that services and clients share: conversion, errors, serving."""
